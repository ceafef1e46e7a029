/**
 * The input of rich text: an editor, the HTML source, and a preview. The code of the editor is loaded with the first such input;
 * without it the source is edited.
 */
import { Button, Group, Skeleton, Stack, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { RichTextFrame } from '../../../../parts/assets/rich-text-frame.tsx';
import { labelOf } from '../../../../parts/data/field-label.ts';
import { type InputProps, useInputFrame } from '../../draft/form-context.ts';
import { LimitCount, lengthOf } from '../help.tsx';
import type { openText } from './editor/rich-text.ts';
import { LossNotice, MissingEditorNotice } from './notices.tsx';

/** Edits a RichText. */
export function RichTextInput(props: InputProps) {
  const { data: code, error, refetch, isFetching } = useQuery(editorCode);
  if (code) return <EditorOrSource {...props} code={code} />;
  if (!error)
    return <Skeleton height={180} role="status" aria-label={`Loading the editor of ${nameOf(props)}`} />;
  return (
    <Stack gap="xs" align="stretch">
      <MissingEditorNotice isTrying={isFetching} onRetry={refetch} />
      <SourceInput {...props} />
      <Preview name={nameOf(props)} html={textOf(props)} />
    </Stack>
  );
}

/** The editor's code. It is asked for again only by the user, as it may be gone after an upgrade of the server. */
const editorCode = queryOptions({
  queryKey: ['code', 'rich-text'],
  queryFn: () => import('./editor/rich-text.ts'),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
  refetchOnReconnect: false,
  structuralSharing: false,
  networkMode: 'always',
});

function EditorOrSource({ code, ...props }: InputProps & { code: typeof import('./editor/rich-text.ts') }) {
  const html = textOf(props);
  const name = nameOf(props);
  const text = useRichText(html, code.openText);
  const frame = useInputFrame(props);
  const { maxLength } = props.field.constraint;
  return (
    <Stack gap="xs" align="stretch">
      {text.losses.length > 0 && !(text.isInEditor && html !== text.begun.html) && (
        <LossNotice name={name} losses={text.losses} isInEditor={text.isInEditor} onAccept={text.accept} />
      )}
      {text.isInEditor ? (
        <code.RichTextEditor
          key={text.key}
          {...frame}
          name={name}
          path={props.path}
          begun={text.begun}
          count={maxLength !== undefined && <LimitCount count={lengthOf(html)} limit={maxLength} />}
          onChange={(written) => {
            text.write(written);
            props.onChange(written || undefined);
          }}
        />
      ) : (
        <SourceInput {...props} />
      )}
      <Preview name={name} html={html}>
        {text.isInEditor && (
          <Button {...quiet} onClick={text.showSource}>
            Edit the HTML of {name}
          </Button>
        )}
        {!text.isInEditor && text.losses.length === 0 && (
          <Button {...quiet} onClick={text.showEditor}>
            Use the editor for {name}
          </Button>
        )}
      </Preview>
    </Stack>
  );
}

const textOf = ({ draft }: InputProps) => (typeof draft === 'string' ? draft : '');

const nameOf = ({ itemLabel, field }: InputProps) => itemLabel ?? labelOf(field);

/** Few editors need these buttons, so they stand back. */
const quiet = { variant: 'subtle', color: 'gray', size: 'compact-xs' } as const;

/** A button that shows the preview, after the buttons `children`. `name` names the field. */
function Preview({ name, html, children }: { name: string; html: string; children?: ReactNode }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <Group gap={4}>
        {children}
        <Button {...quiet} aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'} the preview of {name}
        </Button>
      </Group>
      {isShown && <RichTextFrame title={`Preview of ${name}`} html={html} />}
    </>
  );
}

/** Edits the source. */
function SourceInput({ draft, onChange, ...props }: InputProps) {
  return (
    <Textarea
      {...useInputFrame(props)}
      value={typeof draft === 'string' ? draft : ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      spellCheck={false}
      autosize
      minRows={4}
      maxRows={16}
    />
  );
}

/** How long who types HTML pauses before it is checked again. */
const pauseMs = 400;

/** Follows the text `html`, which the form may replace at any time. A text that would not come back unchanged is shown as HTML. */
function useRichText(html: string, open: typeof openText) {
  const [state, setState] = useState(() => begin(html, 0));
  // The form has another text than the editor wrote: it was discarded, merged, restored, or typed as HTML.
  if (html !== state.written) setState(begin(html, state.key + 1));
  const [isSource, setIsSource] = useState(false);
  const [settled] = useDebouncedValue(html, pauseMs);
  const opened = isSource ? settled : state.html;
  const begun = useMemo(() => ({ html: opened, ...open(opened) }), [opened, open]);
  const isInEditor = !isSource && (begun.losses.length === 0 || state.isAccepted);
  // It stays so while the user mends the text, as another input would take the focus from who types.
  if (!isSource && !isInEditor) setIsSource(true);
  const show = (asSource: boolean, isAccepted = false) => {
    setState({ ...begin(html, state.key + 1), isAccepted });
    setIsSource(asSource);
  };
  return {
    begun,
    key: state.key,
    losses: begun.losses,
    isInEditor,
    /** Takes note of what the editor wrote, so that it goes on. */
    write: (written: string) => setState((before) => ({ ...before, written })),
    /** Opens the text in the editor, whatever is lost. */
    accept: () => show(false, true),
    showSource: () => show(true),
    showEditor: () => show(false),
  };
}

const begin = (html: string, key: number) => ({ html, written: html, key, isAccepted: false });
