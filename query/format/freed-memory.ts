/**
 * Gives back the memory of an array at once, unless others share it or another thread has it by now. Nothing may read the array afterwards. Left to V8, such
 * memory makes it collect the whole heap each time some megabytes were handed out.
 */
export function freeMemory({ buffer, byteLength }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength === byteLength) buffer.transfer(0);
}
