/**
 * The input of rich text: HTML source and a preview in a sandboxed frame without scripts or forms.
 */
import { Button, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { labelOf } from '../../../parts/data/field-label.ts';
import { type InputProps, useInputFrame } from '../draft/form-context.ts';

/** Edits a RichText. */
export function RichTextInput({ draft, onChange, ...props }: InputProps) {
  const [isShown, setIsShown] = useState(false);
  const text = typeof draft === 'string' ? draft : '';
  const name = props.itemLabel ?? labelOf(props.field);
  return (
    <Stack gap="xs" align="stretch">
      <Textarea
        {...useInputFrame(props)}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        autosize
        minRows={4}
        maxRows={16}
      />
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
        <iframe title={`Preview of ${name}`} sandbox="" srcDoc={toDocument(text)} style={frameStyle} />
      )}
    </Stack>
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
