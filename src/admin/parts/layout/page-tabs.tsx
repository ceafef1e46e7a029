/**
 * The tabs of a page. The open one stands in the address, as in `?tab=replay`; a tab may be a page of its own.
 */
import { Stack } from '@mantine/core';
import { createContext, type ReactNode } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import classes from './page-tabs.module.css';

/** A tab with what it shows, or a link to the page that it is; such a page has links only, and marks its own. */
export type PageTab =
  | { readonly id: string; readonly label: string; readonly content: ReactNode }
  | { readonly label: string; readonly to: string };

/** Opens the tab that a component stands in, which may be hidden. */
export const OpenTab = createContext<() => void>(() => {});

/** The tabs, the first of which is open without an address. What is hidden stays as it is, with what is typed there. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const contents = tabs.filter((tab) => 'content' in tab);
  const open = contents.find(({ id }) => id === parameters.get('tab')) ?? contents[0];
  const pathOf = (tab: PageTab) => {
    if ('to' in tab) return tab.to;
    return tab === contents[0] ? pathname : `${pathname}?tab=${tab.id}`;
  };
  return (
    <>
      <nav aria-label={label} className={classes.tabs}>
        {tabs.map((tab) => (
          <Link
            key={tab.label}
            to={pathOf(tab)}
            className={classes.tab}
            {...(tab === (open ?? tabs.find((each) => pathOf(each) === pathname)) && {
              'aria-current': 'page' as const,
            })}
          >
            {tab.label}
          </Link>
        ))}
      </nav>
      {contents.map((tab) => (
        <Stack key={tab.id} gap="lg" hidden={tab !== open} {...(tab !== open && { display: 'none' })}>
          <OpenTab value={() => void navigate(pathOf(tab), { replace: true })}>{tab.content}</OpenTab>
        </Stack>
      ))}
    </>
  );
}
