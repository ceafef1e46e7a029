/**
 * The first link of every page, for those who use the keyboard: it leads past the navigation. It is seen while it has the focus.
 */
import './skip-link.css';

/** The ID of the element that holds the page. */
export const contentId = 'content';

/** The link. */
export function SkipLink() {
  return (
    <a
      className="skip-link"
      href={`#${contentId}`}
      onClick={(event) => {
        // The address stays as it is, since it belongs to the page.
        event.preventDefault();
        document.getElementById(contentId)?.focus();
      }}
    >
      Skip to content
    </a>
  );
}
