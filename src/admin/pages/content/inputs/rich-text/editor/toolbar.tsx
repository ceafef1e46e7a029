/**
 * The buttons of the editor. Tab goes to the toolbar once, and the arrow keys to its buttons.
 */
import { Button, Group, NativeSelect } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { type KeyboardEvent, useState } from 'react';
import {
  actionGroups,
  blockStyleAt,
  blockStyles,
  type EditorAction,
  setBlockStyle,
  tableActions,
} from './actions.ts';
import { useEditorState } from './use-editor-state.ts';

/** The toolbar of `editor`; `label` names it. The dialogs that other actions open come last. */
export function Toolbar({
  editor,
  label,
  controls,
  dialogs,
}: {
  editor: Editor;
  label: string;
  /** The ID of the text. */
  controls: string;
  dialogs: readonly EditorAction[];
}) {
  const isInTable = useEditorState(editor, () => String(editor.isActive('table'))) === 'true';
  const groups = [
    ...actionGroups.slice(0, -1),
    dialogs,
    ...actionGroups.slice(-1),
    ...(isInTable ? [tableActions] : []),
  ];
  const style = useEditorState(editor, () => blockStyleAt(editor));
  const [focused, setCurrent] = useState('Bold');
  const current =
    focused === styleName || groups.flat().some(({ name }) => name === focused) ? focused : 'Bold';
  const states = useActionStates(editor, groups.flat());
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button, select')];
    const index = buttons.findIndex((button) => button.matches(':focus'));
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    buttons.at(next % buttons.length)?.focus();
  };
  return (
    <Group role="toolbar" aria-label={label} aria-controls={controls} gap={4} onKeyDown={move}>
      <NativeSelect
        size="xs"
        aria-label={styleName}
        title={styleName}
        data={Object.entries(blockStyles).map(([value, name]) => ({ value, label: name }))}
        value={style}
        tabIndex={current === styleName ? 0 : -1}
        onFocus={() => setCurrent(styleName)}
        onChange={(event) => setBlockStyle(editor, event.currentTarget.value)}
      />
      {groups.map((actions) => (
        <Group key={actions[0]?.name} gap={actions[0]?.icon ? 0 : 4}>
          {actions.map((action) => (
            <ActionButton
              key={action.name}
              action={action}
              state={states.get(action.name) ?? 'off'}
              isCurrent={action.name === current}
              onFocus={() => setCurrent(action.name)}
              onClick={() => action.run(editor)}
            />
          ))}
        </Group>
      ))}
    </Group>
  );
}

const styleName = 'Style of the block';

type ActionState = 'on' | 'off' | 'impossible';

function ActionButton({
  action: { name, icon: Icon, keys, isOn },
  state,
  isCurrent,
  onFocus,
  onClick,
}: {
  action: EditorAction;
  state: ActionState;
  isCurrent: boolean;
  onFocus: () => void;
  onClick: () => void;
}) {
  return (
    <Button
      size="compact-sm"
      variant={state === 'on' ? 'light' : 'default'}
      {...(Icon ? { bd: 0, px: 4 } : { px: 'xs', fz: 'xs' })}
      aria-label={name}
      title={keys === undefined ? name : `${name} (${keys.replace('Control', 'Ctrl')})`}
      {...(keys === undefined ? {} : { 'aria-keyshortcuts': keys })}
      {...(isOn ? { 'aria-pressed': state === 'on' } : {})}
      // Not disabled, which would take the focus away.
      {...(state === 'impossible' ? { 'aria-disabled': true, 'data-disabled': true } : {})}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={onFocus}
      // The selection stays in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => state !== 'impossible' && onClick()}
    >
      <span aria-hidden style={iconStyle}>
        {Icon ? <Icon size={16} /> : name}
      </span>
    </Button>
  );
}

const iconStyle = { display: 'flex' };

/** The state of each action, which is rendered again only when one of them changes. */
function useActionStates(editor: Editor, actions: readonly EditorAction[]): Map<string, ActionState> {
  const read = () =>
    actions
      .map(({ isOn, isPossible }) => {
        if (isPossible && !isPossible(editor)) return 'impossible';
        return isOn?.(editor) ? 'on' : 'off';
      })
      .join();
  const states = useEditorState(editor, read);
  return new Map(states.split(',').map((state, index) => [actions[index]?.name ?? '', state as ActionState]));
}
