/**
 * The editor of rich text. It reports a text only once the user has changed something, and the text that it began with when that
 * is undone.
 */
import './rich-text-editor.css';
import { Box, Input, Stack } from '@mantine/core';
import { Editor } from '@tiptap/core';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { UploadStatus } from '../../../../../parts/files/upload-status.tsx';
import { AddressForm, type AddressKind } from './address-form.tsx';
import { extensions } from './extensions.ts';
import type { OpenedText } from './open-text.ts';
import { breakAttribute } from './source-break.ts';
import { spellingAttribute } from './spelling.ts';
import { Toolbar } from './toolbar.tsx';
import { createPictureHandlers, usePictures } from './use-pictures.ts';
import { makeWordLists } from './word-lists.ts';
import { createHtmlWriter } from './write-html.ts';

/** What the editor is given. Another text needs another `key`. */
export interface RichTextEditorProps {
  /** The label in words, for what has no other. */
  readonly name: string;
  readonly path: string;
  readonly label?: ReactNode;
  readonly description?: string | undefined;
  readonly required?: boolean;
  readonly error?: string | undefined;
  /** The text that it begins with, as it was and as it is opened. */
  readonly begun: OpenedText & { readonly html: string };
  readonly onChange: (html: string) => void;
}

/** Edits a text. Tab leaves it, as it leaves every field. */
export function RichTextEditor(props: RichTextEditorProps) {
  const { name, label, description, required, error } = props;
  const id = useId();
  const { editor, home, pictures } = useEditor(props, id);
  const [asked, setAsked] = useState<AddressKind>();
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      withAsterisk={required === true}
      labelElement="div"
      labelProps={{ onClick: () => editor?.commands.focus() }}
      descriptionProps={{ id: `${id}-description` }}
      errorProps={{ id: `${id}-error` }}
    >
      <Stack gap={6} mt={4} align="stretch">
        {editor && (
          <Toolbar
            editor={editor}
            label={`Formatting of ${name}`}
            controls={id}
            dialogs={[
              {
                name: 'Link',
                sign: 'Link',
                keys: 'Control+K',
                isOn: (one) => one.isActive('link'),
                run: () => setAsked('link'),
              },
              {
                name: 'Image',
                sign: 'Image',
                isOn: (one) => one.isActive('image'),
                run: () => setAsked('image'),
              },
            ]}
          />
        )}
        {editor && asked && (
          <AddressForm key={asked} editor={editor} kind={asked} onClose={() => setAsked(undefined)} />
        )}
        <Box
          ref={home}
          className="colophon-rich-text"
          mod={{ invalid: error !== undefined }}
          onKeyDown={(event) => {
            if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            setAsked('link');
          }}
        />
        <UploadStatus state={pictures.state} onCancel={pictures.cancel} />
      </Stack>
    </Input.Wrapper>
  );
}

function useEditor(props: RichTextEditorProps, id: string) {
  const home = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const pictures = usePictures(editor);
  const take = useEffectEvent(pictures.take);
  const report = useEffectEvent(props.onChange);
  const read = useEffectEvent(() => props);
  useEffect(() => {
    const { begun } = read();
    const created = new Editor({
      element: home.current,
      extensions,
      content: begun.content.toJSON(),
      // The styles are in a file.
      injectCSS: false,
      // What is pasted is text, and no Markdown.
      enablePasteRules: false,
    });
    const first = created.state.doc;
    const write = createHtmlWriter();
    created.on('update', () => {
      const { doc } = created.state;
      report(doc.eq(first) ? begun.html : write(doc));
    });
    setEditor(created);
    return () => created.destroy();
  }, []);
  const attributes = JSON.stringify(toAttributes(props, id));
  useEffect(() => {
    editor?.setOptions({
      editorProps: {
        attributes: JSON.parse(attributes),
        transformPastedHTML: cleanPaste,
        ...createPictureHandlers((files, at) => take(files, at)),
        // In a list it would indent the item, and not leave the field.
        handleDOMEvents: { keydown: (_, event) => event.key === 'Tab' },
      },
    });
  }, [editor, attributes]);
  return { editor, home, pictures };
}

/** The attributes of the text itself, by which the form finds it and screen readers name it. */
function toAttributes(
  { name, path, description, required, error }: RichTextEditorProps,
  id: string,
): Record<string, string> {
  const described = [
    ...(description === undefined ? [] : [`${id}-description`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ];
  return {
    id,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': name,
    'data-path': path,
    tabindex: '0',
    ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
    ...(required ? { 'aria-required': 'true' } : {}),
    ...(error === undefined ? {} : { 'aria-invalid': 'true' }),
  };
}

/** Returns the HTML without what only its program needs: styles of Word, bullets as text, empty paragraphs, local pictures. */
function cleanPaste(html: string): string {
  const template = document.createElement('template');
  template.innerHTML = html;
  const { content } = template;
  makeWordLists(content);
  for (const element of content.querySelectorAll('*')) {
    // Only texts that the editor opens have a spelling.
    for (const name of [spellingAttribute, breakAttribute]) element.removeAttribute(name);
    if (element.matches('a')) for (const name of ['class', 'target', 'rel']) element.removeAttribute(name);
    if (isUnwanted(element)) element.remove();
  }
  return template.innerHTML;
}

function isUnwanted(element: Element): boolean {
  if (element.matches('p')) return isEmpty(element);
  return element.matches(
    'style, script, meta, link, title, xml, img:not([src^="http:"], [src^="https:"], [src^="/files/"])',
  );
}

/** Word and Google Docs make space with paragraphs that contain only a space. */
const isEmpty = (element: Element) =>
  (element.textContent ?? '').trim() === '' && element.querySelector('img, br') === null;
