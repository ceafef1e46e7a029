/**
 * Names a browser by what it says of itself.
 */

/** The products, each before those whose names it has in its User-Agent, too. */
const products: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac(intosh| OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Names the browser and the system of a User-Agent, such as `Chrome on Windows`; a program that is no browser by its first word. */
export function nameOfBrowser(userAgent: string): string {
  const find = (names: typeof products) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const product = find(products) ?? (userAgent.split(/[\s/]/)[0] || userAgent);
  const system = find(systems);
  return system === undefined ? product : `${product} on ${system}`;
}
