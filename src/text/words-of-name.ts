/**
 * Puts names of types and fields into words, as people read them.
 */

/** Puts a name into words, without what stands before its last dot: `cms.content.updateDate` becomes `Update date`. */
export function wordsOfName(name: string): string {
  const words = (name.split('.').at(-1) ?? name)
    .replaceAll(/[_-]/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .map((word) => word.replace(/^(html|id|json|url)(?=s?$)/, (letters) => letters.toUpperCase()));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
