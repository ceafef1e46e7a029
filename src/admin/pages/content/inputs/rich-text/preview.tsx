/**
 * The preview of a rich text, in a sandboxed frame without scripts, forms or a way out.
 */
import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** A button that shows the preview, after the buttons `children`. `name` names the field. */
export function Preview({ name, html, children }: { name: string; html: string; children?: ReactNode }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <Group gap="xs">
        {children}
        <Button variant="default" size="xs" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'} the preview of {name}
        </Button>
      </Group>
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
