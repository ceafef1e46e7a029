/**
 * Makes the queries of GraphiQL reachable by screen readers. GraphiQL gives each the role of a tab and puts buttons in it, which screen
 * readers do not find: here they are a list of buttons, of which one is the present one.
 */
import { type RefObject, useEffect } from 'react';

/** Changes the roles within an element whenever GraphiQL sets them. */
export function useQueryList(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    changeRoles(current);
    const observer = new MutationObserver(() => changeRoles(current));
    observer.observe(current, { subtree: true, childList: true, attributeFilter: ['role', 'aria-selected'] });
    return () => observer.disconnect();
  }, [place]);
}

function changeRoles(place: HTMLElement): void {
  place.querySelector('.graphiql-tabs[role=tablist]')?.setAttribute('role', 'list');
  for (const item of place.querySelectorAll('.graphiql-tab[role=tab]')) item.setAttribute('role', 'listitem');
  for (const item of place.querySelectorAll('.graphiql-tab[aria-selected]')) {
    const isPresent = item.getAttribute('aria-selected') === 'true';
    item.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', String(isPresent));
    item.removeAttribute('aria-selected');
  }
  place.querySelector('#graphiql-session[role=tabpanel]')?.setAttribute('role', 'group');
}
