// Hands the session of the page that ends a sign-in to the explorer of the same tab, where that began it.
const back = sessionStorage.getItem('plat.return');
const session = document.querySelector('textarea[name="session"]');
sessionStorage.removeItem('plat.return');
if (session && back?.startsWith('/') && !back.startsWith('//')) {
  sessionStorage.setItem('plat.token', session.value);
  location.replace(back);
}
