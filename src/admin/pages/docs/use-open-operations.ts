/**
 * Which operations of a document are open. The fragment of the address names the one that was opened last, and an address with one
 * opens it and scrolls to it.
 */
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** What the address keeps of a click, after which the page stays where it is. */
const clicked = { isClicked: true };

/** The IDs of the open operations, and how to open or close one. */
export function useOpenOperations(): { open: ReadonlySet<string>; toggle: (id: string) => void } {
  const { hash, state } = useLocation();
  const navigate = useNavigate();
  const named = decodeURIComponent(hash.slice(1));
  const [last, setLast] = useState(named);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set([named]));
  if (named !== last) {
    setLast(named);
    setOpen(new Set([...open, named]));
  }
  const isClicked = state?.isClicked === true;
  useEffect(() => {
    if (!isClicked) document.getElementById(named)?.scrollIntoView();
  }, [named, isClicked]);
  const toggle = (id: string) => {
    const isOpen = open.has(id);
    setOpen(new Set(isOpen ? [...open].filter((one) => one !== id) : [...open, id]));
    navigate({ hash: isOpen ? '' : encodeURIComponent(id) }, { replace: true, state: clicked });
  };
  return { open, toggle };
}
