/** The dress of the explorer and the console (web/style/base.css), as far as the reference wants it. */
export const STYLE = `:root{color-scheme:light dark;--paper:light-dark(#fdfcfa,#171a1d);--raised:light-dark(#fff,#1e2226);--sunken:light-dark(#f4f1ea,#121517);--ink:light-dark(#22262a,#e8e5de);--soft:light-dark(#5d5f5c,#a9a79f);--line:light-dark(#e3ded3,#31363b);--edge:light-dark(#8d887c,#7b8187);--accent:light-dark(#0f5c63,#6fcdd4);--accent-soft:light-dark(#e2eff0,#1d3436);--warn:light-dark(#9a3412,#f3a06f)}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}html{scroll-padding-top:4rem;scroll-behavior:smooth}@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;margin:0;color:var(--ink);background:var(--paper)}
a{color:var(--accent);text-underline-offset:.15em}code,pre{font:.87em/1.6 ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,monospace}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.6rem;z-index:2;background:var(--raised);padding:.3rem .7rem}
header{position:sticky;top:0;z-index:1;display:flex;gap:1.2rem;align-items:baseline;flex-wrap:wrap;padding:.7rem 1.4rem;background:var(--raised);border-bottom:1px solid var(--line)}
.brand{font-weight:680;font-size:1.15rem;letter-spacing:-.01em;color:inherit;text-decoration:none}
.frame{display:grid;grid-template-columns:17rem minmax(0,1fr);max-width:82rem;margin:0 auto}
nav{position:sticky;top:3.3rem;align-self:start;max-height:calc(100vh - 3.3rem);overflow:auto;padding:1.3rem 1rem 2rem 1.4rem;font-size:.9rem}
nav h2{font-size:.8rem;font-weight:620;letter-spacing:.02em;color:var(--soft);margin:1.1rem 0 .2rem}nav ul{list-style:none;margin:0;padding:0}nav li a{display:block;padding:.16rem .5rem;margin-left:-.5rem;border-radius:6px;color:inherit;text-decoration:none}nav li a:hover{background:var(--accent-soft)}
main{padding:1.5rem 1.5rem 5rem;min-width:0}h1{font-size:1.55rem;line-height:1.25;letter-spacing:-.015em;margin:0 0 .7rem}main h2{font-size:1.25rem;margin:3.2rem 0 .3rem;letter-spacing:-.01em}
.call{border-top:1px solid var(--line);padding-top:1.4rem;margin-top:1.8rem}.call h3{font-size:1.05rem;margin:0 0 .15rem}.call>p{max-width:46rem}p{margin:.5rem 0}.soft{color:var(--soft)}
.address{display:flex;gap:.6rem;align-items:baseline;flex-wrap:wrap;overflow-wrap:anywhere}.method{font-weight:650;color:var(--accent)}
pre code{font-size:1em}.sample{position:relative;margin:.8rem 0}pre{margin:0;padding:.8rem 1rem;padding-right:5.2rem;overflow-x:auto;background:var(--sunken);border:1px solid var(--line);border-radius:8px}
.sample button{position:absolute;top:.45rem;right:.45rem;font:inherit;font-size:.83rem;padding:.15rem .65rem;border:1px solid var(--line);border-radius:6px;background:var(--raised);color:inherit;cursor:pointer}.sample button:hover{border-color:var(--edge)}
details{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;background:var(--raised)}summary{padding:.45rem .9rem;cursor:pointer;font-weight:550}.scroll{overflow-x:auto;padding:0 .9rem .7rem}
table{border-collapse:collapse;width:100%;font-size:.92rem}th{text-align:left;font-weight:550;color:var(--soft);font-size:.84rem}th,td{padding:.35rem .8rem .35rem 0;vertical-align:top;border-bottom:1px solid var(--line)}tr:last-child td{border-bottom:0}td:first-child{white-space:nowrap}th:nth-child(3){width:45%}.codes a{display:inline-block;line-height:1.5rem}.must{color:var(--warn);font-size:.84rem}
@media(max-width:52rem){.frame{display:block}nav{position:static;max-height:14rem;border-bottom:1px solid var(--line)}header{position:static}html{scroll-padding-top:1rem}td:first-child{white-space:normal;overflow-wrap:break-word}th:nth-child(3){width:auto}}`;

/** Takes the theme that was chosen in the explorer. Puts an example into the clipboard, or selects it where a page may not. */
export const SCRIPT = `{const t=localStorage.getItem('plat.theme');if(t)document.documentElement.dataset.theme=t}
addEventListener('click',async e=>{const b=e.target.closest('button[data-copy]');if(!b)return;const p=b.parentElement.querySelector('pre');try{await navigator.clipboard.writeText(p.textContent);b.firstChild.data='Copied'}catch{getSelection().selectAllChildren(p);b.firstChild.data='Selected'}setTimeout(()=>{b.firstChild.data='Copy'},2000)})`;
