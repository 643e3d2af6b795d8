/** The time of the tests: 2026-01-02T03:04:05.678Z until it is moved. */
export class FakeClock {
  time = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  now(): number {
    return this.time;
  }
}
