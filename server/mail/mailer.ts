/** A message in plain text. */
export interface Message {
  /** One e-mail address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends messages to people. */
export interface Mailer {
  /** Whether messages leave this machine; otherwise they are files. */
  readonly leaves: boolean;
  /** Resolves once the message is taken over. @throws MailRefused when it is not. */
  send(message: Message): Promise<void>;
  close(): void;
}

/** A message was not taken over. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** Whether it may be taken over later: the address was not what was wrong with it. */
  readonly retryable: boolean;

  constructor(cause: unknown, retryable: boolean) {
    super(`a message was not sent: ${(cause as Error).message}`, { cause });
    this.retryable = retryable;
  }
}
