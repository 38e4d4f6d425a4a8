/**
 * Follow the page between light and dark. Colours come from the page's own variables by
 * themselves; this tells the browser which of its native menus and scroll bars fit them, and lets
 * a page without a theme follow the system.
 *
 * @param {HTMLElement} root
 * @returns {() => void} stops following
 */
export function followScheme(root) {
  const themed = () => getComputedStyle(root).getPropertyValue("--jp-layout-color0").trim() !== "";
  const apply = () => {
    root.style.removeProperty("color-scheme");
    if (themed()) {
      root.style.setProperty("color-scheme", isDark(root) ? "dark" : "light");
    } else if (getComputedStyle(root).colorScheme === "normal") {
      root.style.setProperty("color-scheme", "light dark");
    }
  };
  apply();
  const watch = new MutationObserver(apply);
  for (const element of [document.documentElement, document.body]) {
    watch.observe(element, { attributeFilter: ["class", "style", "data-jp-theme-light", "data-jp-theme-name"] });
  }
  return () => watch.disconnect();
}

/** @param {Element} element */
function isDark(element) {
  const parts = getComputedStyle(element).backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [];
  const [red = 255, green = 255, blue = 255] = parts;
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}
