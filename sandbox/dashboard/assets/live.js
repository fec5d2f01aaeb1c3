/* global document, DOMParser, fetch, navigator, setInterval, setTimeout */
// Keeps the page up to date and makes the copy buttons work. The page also works without it.
const everyMs = 2000;

function showCopyButtons(root) {
  for (const button of root.querySelectorAll('button.copy')) button.hidden = false;
}

document.addEventListener('click', async ({ target }) => {
  const text = target.dataset.copy;
  if (text === undefined) return;
  await navigator.clipboard.writeText(text);
  target.textContent = 'Copied';
  setTimeout(() => (target.textContent = 'Copy'), 1500);
});

// Leaves a section alone while somebody reads it, selects text or fills in a form.
function isInUse(section) {
  const selection = document.getSelection();
  return (
    section.contains(document.activeElement) ||
    section.querySelector('details[open]') !== null ||
    (!selection.isCollapsed && section.contains(selection.anchorNode))
  );
}

async function refresh() {
  if (document.hidden) return;
  const response = await fetch('/');
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  showCopyButtons(page);
  for (const section of document.querySelectorAll('main > section')) {
    const latest = page.getElementById(section.id);
    if (latest && !isInUse(section) && latest.innerHTML !== section.innerHTML) {
      section.replaceChildren(...latest.childNodes);
    }
  }
}

showCopyButtons(document);
if (document.querySelector('main > section')) {
  // When the sandbox is stopped, a refresh fails. A later one finds it again.
  setInterval(() => refresh().catch(() => undefined), everyMs);
}
