/**
 * Embeds: `<figure data-embed="https://…">` with a link to the address, and a caption where there is one. Pages that show the text put
 * there what the address has, such as a film; the editor keeps the figure as a block and loads nothing from the address.
 */

/** What an embed says. */
export interface Embed {
  readonly address: string;
  /** Empty for none. */
  readonly caption: string;
}

/** Writes an embed as HTML. */
export function writeEmbed({ address, caption }: Embed): string {
  const figure = document.implementation.createHTMLDocument().createElement('figure');
  figure.dataset.embed = address;
  const add = (tag: string, text: string) => {
    const element = figure.ownerDocument.createElement(tag);
    element.textContent = text;
    figure.append(element);
    return element;
  };
  add('a', address).setAttribute('href', address);
  if (caption !== '') add('figcaption', caption);
  return figure.outerHTML;
}

/** Reads the HTML of a block; undefined when it is no embed. An embed `isPlain` if nothing but address and caption is in it. */
export function readEmbed(html: string): (Embed & { readonly isPlain: boolean }) | undefined {
  if (!html.startsWith('<figure')) return undefined;
  const template = document.createElement('template');
  template.innerHTML = html;
  const figure = template.content.firstElementChild;
  const address = figure?.getAttribute('data-embed') ?? '';
  if (!figure || URL.parse(address)?.protocol !== 'https:') return undefined;
  const embed = { address, caption: (figure.querySelector('figcaption')?.textContent ?? '').trim() };
  return { ...embed, isPlain: writeEmbed(embed) === html };
}
