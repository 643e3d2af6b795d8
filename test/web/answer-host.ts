// A host of MCP Apps as a chat is one: it puts the page into a sandboxed frame, and hands it what a tool answered.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

interface Host {
  /** Opens a page and gives it an answer. */
  open(page: string, answer: object): Promise<void>;
  /** Addresses that the page asked to have opened. */
  readonly opened: string[];
}

declare global {
  interface Window {
    host: Host;
  }
}

window.host = {
  opened: [],
  async open(page, answer) {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.style.cssText = 'width: 700px; height: 600px';
    document.body.replaceChildren(frame);
    const capabilities = { openLinks: {} };
    const bridge = new AppBridge(null, { name: 'test-host', version: '1' }, capabilities);
    const { promise, resolve } = Promise.withResolvers<void>();
    bridge.oninitialized = () => resolve();
    bridge.onopenlink = async ({ url }) => {
      window.host.opened.push(url);
      return {};
    };
    await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
    frame.srcdoc = page;
    await promise;
    await bridge.sendToolInput({ arguments: {} });
    await bridge.sendToolResult({ content: [], structuredContent: answer } as never);
  },
};
