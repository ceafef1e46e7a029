/** Pastes HTML into an element of a page. A text, as the tests have no types for pages. */
export const pasteHtml = new Function(
  'element',
  'html',
  `const clipboardData = new DataTransfer();
  clipboardData.setData('text/html', html);
  element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));`,
) as (element: unknown, html: string) => void;
