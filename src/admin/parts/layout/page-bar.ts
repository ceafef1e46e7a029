/**
 * The place in the bar of a page where a form shows its state and its buttons.
 */
import { createContext } from 'react';

/** The element in the bar; null before the bar is drawn, and where there is none, as in a dialog. */
export const PageBar = createContext<HTMLElement | null>(null);
