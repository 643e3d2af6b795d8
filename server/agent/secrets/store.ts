/** What somebody is logged in to a service with. */
export interface Login {
  /** An API token. */
  readonly token: string;
  /** The attempt of setting up that it came from; null without one. */
  readonly attemptId: string | null;
}

/** A place where logins are kept, by the origin of the service. */
export interface LoginStore {
  /** As a user is told where it is. */
  readonly place: string;
  /** Null when there is none. */
  read(service: string): Promise<Login | null>;
  write(service: string, login: Login): Promise<void>;
  /** Forgets a login; one that is not there is no fault. */
  remove(service: string): Promise<void>;
}

/** A login as text that other programs keep. */
export const toText = (login: Login): string => JSON.stringify(login);

/** The login of a text; null for what is none. */
export function fromText(text: string): Login | null {
  try {
    const { token, attemptId } = JSON.parse(text) as Partial<Login>;
    return typeof token === 'string' ? { token, attemptId: typeof attemptId === 'string' ? attemptId : null } : null;
  } catch {
    return null;
  }
}
