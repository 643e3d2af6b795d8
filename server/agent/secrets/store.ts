/** The login of a user to a service. */
export interface Login {
  /** An API token. */
  readonly token: string;
  /** The onboarding attempt that it came from; null without one. */
  readonly attemptId: string | null;
}

/** A place for logins, by the origin of the service. */
export interface LoginStore {
  /** Name of the place, as shown to the user. */
  readonly place: string;
  /** Null when there is none. */
  read(service: string): Promise<Login | null>;
  write(service: string, login: Login): Promise<void>;
  /** Deletes a login. It is no error when there is none. */
  remove(service: string): Promise<void>;
}

/** Writes a login as text for other programs to store. */
export const toText = (login: Login): string => JSON.stringify(login);

/** Reads a login from text; null when the text is not a login. */
export function fromText(text: string): Login | null {
  try {
    const { token, attemptId } = JSON.parse(text) as Partial<Login>;
    return typeof token === 'string' ? { token, attemptId: typeof attemptId === 'string' ? attemptId : null } : null;
  } catch {
    return null;
  }
}
