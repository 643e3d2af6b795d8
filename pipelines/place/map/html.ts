import { escaped } from '../../html-text.ts';
import { REJECTED, type Scene } from './scene.ts';

/** The script of the page. It draws the scene on a canvas, moves and zooms it, switches layers and finds rejects. */
const SCRIPT = `
const s = JSON.parse(document.getElementById('scene').textContent);
const canvas = document.querySelector('canvas'), c = canvas.getContext('2d');
const on = s.layers.map(() => true); let showRejects = true, chosen = -1;
let k = 1, ox = 0, oy = 0;
function path(chains, closed) {
  c.beginPath();
  for (const ch of chains) {
    let x = 0, y = 0;
    for (let i = 0; i < ch.length; i += 2) {
      x += ch[i]; y += ch[i + 1];
      i ? c.lineTo(x * k + ox, y * k + oy) : c.moveTo(x * k + ox, y * k + oy);
    }
    if (closed) c.closePath();
  }
}
function dots(chains, r) {
  c.beginPath();
  for (const ch of chains) {
    let x = 0, y = 0;
    for (let i = 0; i < ch.length; i += 2) {
      x += ch[i]; y += ch[i + 1];
      const px = x * k + ox, py = y * k + oy;
      c.moveTo(px + r, py); c.arc(px, py, r, 0, 7);
    }
  }
}
function shape(kind, chains, colour, alpha, width) {
  c.strokeStyle = c.fillStyle = colour; c.lineWidth = width;
  if (kind === 'point') { dots(chains, width + 1); c.globalAlpha = 0.9; c.fill(); }
  else {
    path(chains, kind === 'polygon');
    if (kind === 'polygon') { c.globalAlpha = alpha; c.fill('evenodd'); }
    c.globalAlpha = 0.85; c.stroke();
  }
  c.globalAlpha = 1;
}
function draw() {
  canvas.width = canvas.clientWidth * devicePixelRatio; canvas.height = canvas.clientHeight * devicePixelRatio;
  c.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  s.layers.forEach((l, i) => { if (on[i]) for (const f of l.features) shape(l.kind, f, l.colour, 0.14, l.kind === 'line' ? 1.2 : 0.6); });
  if (showRejects) s.rejects.forEach((r, i) => { if (r.kind) shape(r.kind, r.chains, s.rejected, 0.45, i === chosen ? 4 : 2); });
  const metres = [1,2,5,10,20,50,100,200,500,1000,2000,5000,10000,20000,50000,100000].find(m => m / s.metres * k > 60) || 200000;
  const w = metres / s.metres * k, h = canvas.clientHeight;
  c.fillStyle = '#222'; c.fillRect(14, h - 18, w, 3); c.font = '12px sans-serif';
  c.fillText(metres >= 1000 ? metres / 1000 + ' km' : metres + ' m', 14, h - 24);
}
function fit() {
  k = Math.min(canvas.clientWidth / s.width, canvas.clientHeight / s.height) * 0.95;
  ox = (canvas.clientWidth - s.width * k) / 2; oy = (canvas.clientHeight - s.height * k) / 2; draw();
}
function zoom(f, x, y) { ox = x - (x - ox) * f; oy = y - (y - oy) * f; k *= f; draw(); }
canvas.onwheel = e => { e.preventDefault(); zoom(Math.exp(-e.deltaY / 400), e.offsetX, e.offsetY); };
let drag = null;
canvas.onpointerdown = e => { drag = [e.clientX - ox, e.clientY - oy]; canvas.setPointerCapture(e.pointerId); };
canvas.onpointermove = e => { if (drag) { ox = e.clientX - drag[0]; oy = e.clientY - drag[1]; draw(); } };
canvas.onpointerup = () => { drag = null; };
document.querySelectorAll('input[data-layer]').forEach(box => { box.onchange = () => { on[+box.dataset.layer] = box.checked; draw(); }; });
const all = document.getElementById('rejects'); if (all) all.onchange = () => { showRejects = all.checked; draw(); };
document.querySelectorAll('li[data-reject]').forEach(li => { li.onclick = () => {
  chosen = +li.dataset.reject; const r = s.rejects[chosen]; if (!r.kind) return;
  let a = 1e9, b = 1e9, d = -1e9, e = -1e9;
  for (const ch of r.chains) { let x = 0, y = 0; for (let i = 0; i < ch.length; i += 2) { x += ch[i]; y += ch[i + 1]; a = Math.min(a, x); b = Math.min(b, y); d = Math.max(d, x); e = Math.max(e, y); } }
  k = Math.min(canvas.clientWidth, canvas.clientHeight) / Math.max(d - a, e - b, 60) * 0.4;
  ox = canvas.clientWidth / 2 - (a + d) / 2 * k; oy = canvas.clientHeight / 2 - (b + e) / 2 * k; draw();
}; });
onresize = draw; fit();
`;

const STYLE = `
body{margin:0;display:flex;height:100vh;font:13px/1.4 system-ui,sans-serif;color:#222}
canvas{flex:1;min-width:0;background:#fafaf7;cursor:grab;touch-action:none}
aside{width:320px;overflow:auto;padding:12px;border-left:1px solid #ddd;box-sizing:border-box}
h1{font-size:16px;margin:0 0 8px}h2{font-size:13px;margin:14px 0 4px}
label{display:block;padding:1px 0}i{display:inline-block;width:12px;height:12px;margin:0 6px -1px 4px;border-radius:2px}
small{color:#666;display:block;margin-left:38px;overflow-wrap:anywhere}
ol{padding-left:18px;margin:0}li{padding:2px 0;overflow-wrap:anywhere}li[data-reject]{cursor:pointer}li[data-reject]:hover{background:#fee}
`;

/** Most rejects in the list beside the map. */
const LISTED = 500;

/** Returns the scene as one self-contained HTML page, which loads no script, style, font or tile. */
export function mapHtml(scene: Scene): string {
  const data = JSON.stringify({ ...scene, rejected: REJECTED }).replaceAll('<', '\\u003c');
  const layers = scene.layers.map(
    ({ name, file, colour, count }, i) =>
      `<label><input type="checkbox" data-layer="${i}" checked><i style="background:${colour}"></i>${escaped(name)} (${count})</label>` +
      `<small>${escaped(file)}</small>`,
  );
  const { rejects, failed } = scene;
  const listed = rejects
    .slice(0, LISTED)
    .map(
      ({ layer, row, reason, kind }, i) =>
        `<li${kind ? ` data-reject="${i}"` : ''}>${escaped(layer)} row ${row}: ${escaped(reason)}${kind ? '' : ' (nothing to draw)'}</li>`,
    );
  const more = rejects.length > LISTED ? `<p>and ${rejects.length - LISTED} more</p>` : '';
  const lost = failed.map(({ layer, error }) => `<li>${escaped(layer)}: ${escaped(error)}</li>`);
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escaped(scene.title)}</title><style>${STYLE}</style></head><body>`,
    '<canvas></canvas><aside>',
    `<h1>${escaped(scene.title)}</h1>`,
    '<h2>Layers</h2>',
    ...layers,
    `<label><input type="checkbox" id="rejects" checked><i style="background:${REJECTED}"></i>Rejected rows (${rejects.length})</label>`,
    ...(rejects.length > 0 ? ['<h2>Rejected</h2><ol>', ...listed, '</ol>', more] : []),
    ...(lost.length > 0 ? ['<h2>Failed</h2><ol>', ...lost, '</ol>'] : []),
    '</aside>',
    `<script type="application/json" id="scene">${data}</script>`,
    `<script>${SCRIPT}</script></body></html>`,
    '',
  ].join('\n');
}
