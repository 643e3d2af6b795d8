/** A message in plain text. */
export interface Message {
  /** One e-mail address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** URL at which its receiver ends mail of this kind, for the headers of RFC 8058. */
  readonly stop?: string;
}

/** The headers of a message beside its own: how its receiver ends mail of this kind with one click (RFC 8058). */
export const headersOf = ({ stop }: Message): Readonly<Record<string, string>> =>
  stop === undefined ? {} : { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** Sends messages to people. */
export interface Mailer {
  /** Whether messages leave this machine. If not, they are written to files. */
  readonly leaves: boolean;
  /** Resolves when the message was accepted. @throws MailRefused when it was not. */
  send(message: Message): Promise<void>;
  close(): void;
}

/** A message was not accepted. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** Whether a later try may succeed, because the address is not at fault. */
  readonly retryable: boolean;

  constructor(cause: unknown, retryable: boolean) {
    super(`a message was not sent: ${(cause as Error).message}`, { cause });
    this.retryable = retryable;
  }
}
