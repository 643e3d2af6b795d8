// Hands the session of the page that ends a sign-in to the explorer of the same tab, where that began it or the page says
// to go on there.
const session = document.querySelector('textarea[name="session"]');
const back = sessionStorage.getItem('plat.return') ?? session?.dataset.next;
sessionStorage.removeItem('plat.return');
if (session && back?.startsWith('/') && !back.startsWith('//')) {
  sessionStorage.setItem('plat.token', session.value);
  location.replace(back);
}
