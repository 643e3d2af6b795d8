/** That a record holds other than it says: whoever opened it adds which record and which file. */
const OUTSIDE = 'it points outside itself';

/**
 * One flatbuffers record, size prefix included, where its bytes lie. Every read is checked against the end of the
 * record, because the generated flatbuffers classes trust their input and hand out vectors without checking where they
 * end.
 */
export class RecordBytes {
  bytes: Uint8Array = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  start = 0;
  end = 0;
  /** Position of the outermost table. */
  root = 0;
  /** Elements of the vector that was looked up last. */
  length = 0;

  /**
   * Goes to a record; what was read of the one before stays good only where it was copied.
   * @param bytes memory that it stands in, which the caller leaves alone until the next one. @param start of the record.
   * @throws RangeError when the size prefix is not the length of the record.
   */
  open(bytes: Uint8Array, start: number, length: number): void {
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.start = start;
    this.end = start + length;
    if (length < 12 || this.view.getUint32(start, true) !== length - 4)
      throw new RangeError(`it says ${length < 4 ? 'nothing' : this.view.getUint32(start, true)} bytes long`);
    this.root = start + 4 + this.view.getUint32(start + 4, true);
    this.#table(this.root);
  }

  #isInside(at: number, size: number): boolean {
    return at >= this.start + 4 && at + size <= this.end;
  }

  /** Checks that a table and its vtable lie inside the record. */
  #table(position: number): void {
    if (!this.#isInside(position, 4)) throw new RangeError(OUTSIDE);
    const vtable = position - this.view.getInt32(position, true);
    if (!this.#isInside(vtable, 4)) throw new RangeError(OUTSIDE);
    const size = this.view.getUint16(vtable, true);
    if (size < 4 || size > 0x7fff || !this.#isInside(vtable, size)) throw new RangeError(OUTSIDE);
  }

  /** The table that a field points at. @throws RangeError when it does not lie inside the record. */
  target(field: number): number {
    if (!this.#isInside(field, 4)) throw new RangeError(OUTSIDE);
    const position = field + this.view.getUint32(field, true);
    this.#table(position);
    return position;
  }

  /** Where a field stands in a table that lies inside the record; 0 when the table has none. */
  offset(table: number, slot: number): number {
    const vtable = table - this.view.getInt32(table, true);
    const offset = slot < this.view.getUint16(vtable, true) ? this.view.getUint16(vtable + slot, true) : 0;
    if (offset !== 0 && !this.#isInside(table + offset, 1)) throw new RangeError(OUTSIDE);
    return offset;
  }

  /**
   * Start of a vector, its elements in `length`; both 0 when the table has none.
   * @param width bytes an element. @throws RangeError when it does not lie inside the record.
   */
  vector(table: number, slot: number, width: number): number {
    this.length = 0;
    const offset = this.offset(table, slot);
    if (!offset) return 0;
    const field = table + offset;
    if (!this.#isInside(field, 4)) throw new RangeError(OUTSIDE);
    const start = field + this.view.getUint32(field, true) + 4;
    if (start > this.end) throw new RangeError(OUTSIDE);
    const length = this.view.getUint32(start - 4, true);
    if (start + length * width > this.end) throw new RangeError('it holds less than it says');
    this.length = length;
    return start;
  }
}
