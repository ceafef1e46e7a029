/**
 * The input of rich text: an editor, the HTML source, and a preview. The code of the editor is loaded with the first such input;
 * without it the source is edited.
 */
import { Button, Skeleton, Stack } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { labelOf } from '../../../../parts/data/field-label.ts';
import { FormContext, type InputProps, useInputFrame } from '../../draft/form-context.ts';
import { LossNotice, MissingEditorNotice } from './notices.tsx';
import { Preview } from './preview.tsx';
import { SourceInput } from './source-input.tsx';
import { useRichText } from './use-rich-text.ts';

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
  const { isReadOnly = false } = use(FormContext);
  const text = useRichText(html, code.openText);
  const frame = useInputFrame(props);
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
          isReadOnly={isReadOnly}
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
          <Button variant="default" size="xs" onClick={text.showSource}>
            Edit the HTML of {name}
          </Button>
        )}
        {!text.isInEditor && text.losses.length === 0 && (
          <Button variant="default" size="xs" onClick={text.showEditor}>
            Use the editor for {name}
          </Button>
        )}
      </Preview>
    </Stack>
  );
}

const textOf = ({ draft }: InputProps) => (typeof draft === 'string' ? draft : '');

const nameOf = ({ itemLabel, field }: InputProps) => itemLabel ?? labelOf(field);
