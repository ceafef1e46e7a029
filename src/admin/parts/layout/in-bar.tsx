/**
 * What a page finds and filters with, in its bar.
 */
import { type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';
import classes from './page.module.css';
import { PageBar } from './page-bar.ts';

/** Shows `children` in the bar of the page, before its actions; nothing until the bar is drawn. */
export function InBar({ children }: { children: ReactNode }) {
  const place = useContext(PageBar);
  return place && createPortal(<div className={classes.tools}>{children}</div>, place);
}
