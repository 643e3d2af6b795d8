/** Cookies of one request through its redirects: some servers send an address round once, to see that a cookie comes back. */
export class ChainCookies {
  readonly #byHost = new Map<string, Map<string, string>>();

  /** Keeps what a redirect sets, for its own host alone. */
  keep({ host }: URL, set: string | readonly string[] | undefined): void {
    const own = this.#byHost.get(host) ?? new Map<string, string>();
    for (const line of typeof set === 'string' ? [set] : (set ?? [])) {
      const [, name, value] = /^\s*([^=;\s]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) own.set(name, value.trim());
    }
    this.#byHost.set(host, own);
  }

  headerFor({ host }: URL): Readonly<Record<string, string>> {
    const own = [...(this.#byHost.get(host) ?? [])];
    return own.length === 0 ? {} : { cookie: own.map(([name, value]) => `${name}=${value}`).join('; ') };
  }
}
