/**
 * Removes from the clipboard what reviewers of a document have written: comments, and the text that tracked changes delete. What they
 * insert stays.
 *
 * Word ends with a list of the comments and marks their places by links such as "[AB1]", also in Outlook and Excel; so does HTML that
 * Google Docs has exported. LibreOffice writes comments as those of HTML, and Word for the web leaves them out. Tracked changes are `<del>`
 * and `<ins>` with a date or an author, in Word within a span, and spans whose class says so in Word for the web. Without such a mark,
 * `<del>` outside of a word processor is text that is struck through, as in Markdown.
 */

/** How many comments were removed, and whether text was. */
export interface RemovedReview {
  readonly comments: number;
  readonly hasDeletions: boolean;
}

/** Removes the comments and deletions below `content`, whose `<meta>` elements are still there. */
export function removeReview(content: DocumentFragment): RemovedReview {
  const comments = removeComments(content);
  const mark = content.querySelector(officeMark) ? '' : ':is([cite], [datetime])';
  const deleted = content.querySelectorAll(`${deletions}, del${mark}`);
  const hasDeletions = [...deleted].some((element) => (element.textContent ?? '').trim() !== '');
  for (const element of deleted) removeWithBlock(element);
  for (const element of content.querySelectorAll(`ins${mark}`)) element.replaceWith(...element.childNodes);
  return { comments, hasDeletions };
}

const officeMark = 'meta[name="ProgId" i][content*="Word" i], meta[name="generator" i][content*="Office" i]';

/** Deletions of Word, and of Word for the web. */
const deletions =
  '.msoDel, [class*="SCXW"][class*="TrackChange" i][class*="Delet" i], s:is([cite], [datetime])';

/** The places of comments: the links of Word and Google Docs, and the character of Word. */
const commentMarks =
  '.msocomanchor, a[href*="#_msocom_"], a[href*="#cmnt"]:not([href*="#cmnt_ref"]), [style*="mso-special-character" i]';

function removeComments(content: DocumentFragment): number {
  const all = [...content.querySelectorAll<HTMLElement>('[style*="mso-element" i]')];
  const ofWord = all.filter((element) => hasStyle(element, 'mso-element:comment'));
  const backLinks = [...content.querySelectorAll('a[href*="#cmnt_ref"]')];
  const ofGoogle = backLinks.map((link) => link.closest('div') ?? link.closest('p') ?? link);
  const lists = all.filter((element) => hasStyle(element, 'mso-element:comment-list'));
  const marks = [...content.querySelectorAll(commentMarks)].filter(
    (mark) => mark.localName === 'a' || hasStyle(mark, 'mso-special-character:comment'),
  );
  const places = new Set(marks.flatMap((mark) => mark.getAttribute('href') ?? []));
  for (const element of [...ofWord, ...lists, ...ofGoogle, ...marks]) element.remove();
  for (const mark of content.querySelectorAll('.MsoCommentReference')) if (isBlank(mark)) mark.remove();
  // A part of a document has the marks of comments that have no entry in the list.
  return Math.max(ofWord.length + ofGoogle.length, places.size);
}

/** Whether the style of an element has a declaration, written without spaces. Browsers do not read those of Word. */
function hasStyle(element: Element, declaration: string): boolean {
  const style = (element.getAttribute('style') ?? '').toLowerCase().replaceAll(/\s/g, '');
  return style.split(';').includes(declaration);
}

/** Removes an element with the line, the item or the row that it leaves empty. */
function removeWithBlock(element: Element): void {
  const block = element.closest('p, li, h1, h2, h3, h4, h5, h6');
  const row = element.closest('tr');
  element.remove();
  if (block && isBlank(block)) block.remove();
  if (row && isBlank(row)) row.remove();
}

/** Whether an element has no pictures, and no text but the bullet or number of Word. */
function isBlank(element: Element): boolean {
  const copy = element.cloneNode(true);
  if (!(copy instanceof Element)) return false;
  for (const span of copy.querySelectorAll('[style*="mso-list" i]'))
    if (hasStyle(span, 'mso-list:ignore')) span.remove();
  return (copy.textContent ?? '').trim() === '' && copy.querySelector('img') === null;
}
