import type { GeocodeTier, LocateTerms, TierAnswer, TierMatch } from '../../server/geocoder/tier.ts';

/** A rooftop in Bangor. */
export const ROOFTOP: TierMatch = {
  lng: -68.7714,
  lat: 44.8017,
  similarity: 0.97,
  accuracyType: 'rooftop',
  matchType: 'address_point',
  normalizedAddress: '73 HARLOW ST, BANGOR, ME 04401',
  source: 'City of Bangor',
  city: 'BANGOR',
  state: 'ME',
};

/** A geocoder that knows what a test tells it, nothing else, and remembers what it was asked. */
export class FakeTier implements GeocodeTier {
  readonly asked: string[] = [];
  /** By address as typed. */
  readonly answers = new Map<string, Partial<TierAnswer> | Error>();
  release = 'r1';
  /** Runs before every answer; may wait or throw. */
  before: (terms: LocateTerms) => Promise<void> = async () => {};

  /** As it was made: nothing asked, nothing known. */
  reset(): void {
    this.asked.length = 0;
    this.answers.clear();
    this.before = async () => {};
  }

  /** Knows one match for an address. */
  knows(address: string, match: Partial<TierMatch> = {}, more: Partial<TierAnswer> = {}): void {
    this.answers.set(address, { matches: [{ ...ROOFTOP, ...match }], ...more });
  }

  version(): string {
    return this.release;
  }

  requireReady(): void {}

  async locate(address: string, terms: LocateTerms): Promise<TierAnswer> {
    this.asked.push(address);
    await this.before(terms);
    const answer = this.answers.get(address) ?? {};
    if (answer instanceof Error) throw answer;
    return { provider: 'other', matches: [], city: null, ...answer };
  }
}
