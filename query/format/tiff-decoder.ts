import zlib from 'node:zlib';
import { addDecoder, BaseDecoder } from 'geotiff';
import { decodeLzw } from './lzw.ts';

const LZW = 5;
const DEFLATES = [8, 32_946];
const ZSTD = 50_000;

/** A decoder that knows how many bytes a block can have. */
abstract class BoundedDecoder extends BaseDecoder {
  get limit(): number {
    const { tileWidth, tileHeight, bitsPerSample } = this.parameters;
    const samples = typeof bitsPerSample === 'number' ? [bitsPerSample] : Array.from(bitsPerSample);
    return Math.ceil((tileWidth * samples.reduce((sum, b) => sum + b, 0)) / 8) * tileHeight;
  }
}

class LzwDecoder extends BoundedDecoder {
  override decodeBlock(buffer: ArrayBufferLike): ArrayBufferLike {
    return decodeLzw(new Uint8Array(buffer), this.limit).buffer;
  }
}

/** What a block that is cut short lacks the reader says. */
class DeflateDecoder extends BoundedDecoder {
  override decodeBlock(buffer: ArrayBufferLike): ArrayBufferLike {
    const options = { maxOutputLength: Math.max(1, this.limit), finishFlush: zlib.constants.Z_SYNC_FLUSH };
    const { buffer: memory, byteOffset, length } = zlib.inflateSync(new Uint8Array(buffer), options);
    return memory.slice(byteOffset, byteOffset + length);
  }
}

class ZstdDecoder extends BoundedDecoder {
  override decodeBlock(buffer: ArrayBufferLike): ArrayBufferLike {
    const bytes = zlib.zstdDecompressSync(new Uint8Array(buffer), { maxOutputLength: Math.max(1, this.limit) });
    return Uint8Array.from(bytes).buffer;
  }
}

/**
 * Replaces geotiff's decoders of LZW and Zstandard, which a few wrong bits can send into loops that take all memory, and of
 * Deflate, of which a thousandth of the memory that it takes is enough.
 * Node before 22.15 has no Zstandard and keeps geotiff's.
 */
export function useBoundedDecoders(): void {
  addDecoder(LZW, async () => LzwDecoder);
  addDecoder(DEFLATES, async () => DeflateDecoder);
  if ('zstdDecompressSync' in zlib) addDecoder(ZSTD, async () => ZstdDecoder);
}
