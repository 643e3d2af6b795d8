/** The members of GDAL's module in WASM that are called by name. */
export interface GdalModule {
  readonly HEAP32: Int32Array;
  readonly HEAPF64: Float64Array;
  ccall<T = number>(
    name: string,
    returns: 'number' | 'string' | null,
    types: readonly string[],
    values: readonly unknown[],
  ): T;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, bytes: number): void;
}

/** The members of the library that the thread of GDAL uses; the library's own types lack the file system of the module. */
export interface Gdal {
  readonly Module: GdalModule & {
    readonly FS: {
      readonly ErrnoError: new (code: number) => Error;
      mkdir(path: string): void;
      rmdir(path: string): void;
      mount(type: FileSystem, options: { root: string }, at: string): void;
      unmount(at: string): void;
      readdir(path: string): string[];
      readFile(path: string): Uint8Array<ArrayBuffer>;
      writeFile(path: string, text: string): void;
      unlink(path: string): void;
    };
    readonly NODEFS: FileSystem;
    setValue(pointer: number, value: number, type: '*'): void;
  };
  ogrinfo(dataset: OpenDataset): Promise<LayerListing>;
  gdalinfo(dataset: OpenDataset, args: readonly string[]): Promise<unknown>;
  close(dataset: OpenDataset): Promise<void>;
  ogr2ogr(dataset: OpenDataset, args: readonly string[], name: string): Promise<unknown>;
  gdal_translate(dataset: OpenDataset, args: readonly string[], name: string): Promise<unknown>;
}

/** A kind of file system of the module, and the operations of a folder. */
export interface FileSystem {
  mount(options: unknown): { node_ops: FolderOps };
}
interface FolderOps {
  lookup(parent: unknown, name: string): unknown;
  readdir(node: unknown): string[];
}

/** A dataset as the functions of the library take it. */
export interface OpenDataset {
  readonly pointer: number;
  readonly path: string;
}

/** Opens a dataset with one driver and no other. */
export type Opening = (path: string, driver: string) => OpenDataset;

/** What ogrinfo says of a dataset. */
export interface LayerListing {
  readonly layers: readonly Listed[];
}

interface Listed {
  readonly name: string;
  readonly featureCount: number;
  readonly fidColumnName?: string;
  readonly geometryFields: readonly {
    readonly coordinateSystem?: { readonly wkt?: string } | null;
    readonly extent?: readonly number[];
  }[];
}
