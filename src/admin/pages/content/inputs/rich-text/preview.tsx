/**
 * The preview of a rich text, in a sandboxed frame without scripts, forms or a way out.
 */
import { Button } from '@mantine/core';
import { useState } from 'react';

/** A button that shows the preview. `name` names the field. */
export function Preview({ name, html }: { name: string; html: string }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        aria-expanded={isShown}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'} the preview of {name}
      </Button>
      {isShown && (
        <iframe title={`Preview of ${name}`} sandbox="" srcDoc={toDocument(html)} style={frameStyle} />
      )}
    </>
  );
}

const frameStyle = {
  width: '100%',
  height: 320,
  border: '1px solid var(--mantine-color-default-border)',
  borderRadius: 'var(--mantine-radius-md)',
  background: '#fff',
  colorScheme: 'light',
};

/** Opens links in a new tab, so that they do not replace the preview. */
const toDocument = (html: string) =>
  `<!doctype html><meta charset="utf-8"><base target="_blank"><style>body{font:16px/1.5 system-ui,sans-serif}img{max-width:100%}</style>${html}`;
