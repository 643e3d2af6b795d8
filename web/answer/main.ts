import { App } from '@modelcontextprotocol/ext-apps';
import { drawGround } from './drawing.ts';
import { groundOf } from './places.ts';

/** Places that are listed below the map. */
const MOST_LISTED = 12;

const app = new App({ name: 'plat-answer-map', version: '1' });

function text(name: string, content: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = content;
  return made;
}

/** Shows what a tool answered. */
function show(answer: unknown): void {
  const ground = groundOf(answer);
  if (ground.places.length + ground.rings.length === 0) {
    document.body.replaceChildren(text('p', 'This answer names no place.'));
    return;
  }
  const list = document.createElement('ol');
  list.append(...ground.places.slice(0, MOST_LISTED).map(({ label }) => text('li', label)));
  const rest = ground.places.length - MOST_LISTED;
  const parts: Node[] = [drawGround(ground), list, ...(rest > 0 ? [text('p', `and ${rest} more`)] : [])];
  if (ground.address !== null) {
    const { address } = ground;
    const button = text('button', 'Open in the explorer');
    // A page in a sandbox opens nothing by itself: it asks its host.
    button.addEventListener('click', () => void app.openLink({ url: address }));
    parts.push(button);
  }
  document.body.replaceChildren(...parts);
}

app.ontoolresult = ({ structuredContent }) => show(structuredContent);
await app.connect();
