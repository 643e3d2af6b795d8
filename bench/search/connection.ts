import { connect, type Socket } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** Bytes read at once, into memory that all connections use again: answers of the bench are shorter than a few of these. */
const READ_BYTES = 1 << 18;
const memory = Buffer.allocUnsafeSlow(READ_BYTES);

/** What a server answered. */
export interface Reply {
  readonly status: number;
  /** Empty unless it was asked for, or the answer is a refusal. */
  readonly body: Buffer;
}

interface Pending {
  readonly wanted: boolean;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One kept-alive HTTP/1.1 connection that sends one request after the other and reads answers with a Content-Length:
 * client and server share the cores, so the client does no more than the bench needs.
 */
export class Connection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #received = 0;
  /** Bytes of the answer with its head; null until the head has come. */
  #expected: number | null = null;
  #headBytes = 0;
  #status = 0;
  #pending: Pending | null = null;

  private constructor(port: number) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: memory,
        callback: bytes => {
          this.#receive(bytes);
          return true;
        },
      },
    });
    const fail = (error?: Error) => {
      this.#pending?.reject(error ?? new Error('The server closed the connection'));
      this.#pending = null;
    };
    this.#socket.on('error', fail);
    this.#socket.on('close', () => fail());
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connection = new Connection(port);
      connection.#socket.once('connect', () => resolve(connection));
      connection.#socket.once('error', reject);
    });
  }

  /**
   * Sends a whole request and waits for the whole answer.
   * @param wanted whether the body of a 200 is kept; a clock needs only its end.
   */
  send(request: Buffer, wanted: boolean): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) throw new Error('The server closed the connection before the request was sent');
      this.#pending = { wanted, resolve, reject };
      this.#socket.write(request);
    });
  }

  /** False once the server has closed it, as it does with connections that nothing comes from. */
  get isOpen(): boolean {
    return this.#socket.writable;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** @param read bytes read, at the beginning of `memory`, good until this returns. */
  #receive(read: number): void {
    const bytes = memory.subarray(0, read);
    this.#received += read;
    if (this.#expected === null) {
      // A head that came in parts is put together first.
      const head = this.#chunks.length === 0 ? bytes : Buffer.concat([...this.#chunks, bytes]);
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0) {
        this.#chunks.push(Buffer.from(bytes));
        return;
      }
      const text = head.toString('latin1', 0, end);
      this.#headBytes = end + END_OF_HEAD.length;
      this.#expected = this.#headBytes + Number(/\r\ncontent-length: (\d+)/i.exec(text)![1]);
      this.#status = Number(text.slice(9, 12));
    }
    const keeps = this.#pending!.wanted || this.#status !== 200;
    if (keeps) this.#chunks.push(Buffer.from(bytes));
    if (this.#received < this.#expected) return;
    const body = keeps ? Buffer.concat(this.#chunks).subarray(this.#headBytes, this.#expected) : Buffer.alloc(0);
    const reply = { status: this.#status, body };
    this.#chunks = [];
    this.#received = 0;
    this.#expected = null;
    const pending = this.#pending;
    this.#pending = null;
    pending?.resolve(reply);
  }
}

/** The bytes of POST /v1/search with a JSON body. */
export function searchRequest(token: string, body: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(body));
  const head = `POST /v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), text]);
}
