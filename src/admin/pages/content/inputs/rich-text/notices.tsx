/**
 * Says why a rich text is edited as HTML.
 */
import { Alert, Button, List, Text } from '@mantine/core';

/** How many losses are listed. */
const maxLosses = 8;

/** What of a text the editor does not keep. `onAccept` opens the text in it all the same. */
export function LossNotice({
  name,
  losses,
  isInEditor,
  onAccept,
}: {
  name: string;
  losses: readonly string[];
  isInEditor: boolean;
  onAccept: () => void;
}) {
  const more = losses.length - maxLosses;
  return (
    <Alert
      color="orange"
      variant="light"
      role="note"
      title={isInEditor ? `The editor does not keep all of ${name}` : `${name} is shown as HTML`}
    >
      <Text size="sm">
        {isInEditor
          ? 'Once you change the text, these are lost:'
          : 'The text would not come back unchanged from the editor, which does not keep:'}
      </Text>
      <List size="sm">
        {losses.slice(0, maxLosses).map((loss) => (
          <List.Item key={loss} style={{ overflowWrap: 'anywhere' }}>
            {loss}
          </List.Item>
        ))}
        {more > 0 && <List.Item>and {more} more</List.Item>}
      </List>
      {!isInEditor && (
        <Button variant="default" size="xs" mt="sm" onClick={onAccept}>
          Use the editor for {name} all the same
        </Button>
      )}
    </Alert>
  );
}

/** The code of the editor could not be loaded. */
export function MissingEditorNotice({ isTrying, onRetry }: { isTrying: boolean; onRetry: () => unknown }) {
  return (
    <Alert color="orange" variant="light" role="note" title="The editor could not be loaded">
      <Text size="sm">
        You can edit the HTML. If trying again does not help, Colophon may have been upgraded: save your
        changes and reload the page.
      </Text>
      <Button variant="default" size="xs" mt="sm" aria-busy={isTrying} onClick={() => void onRetry()}>
        Try to load it again
      </Button>
    </Alert>
  );
}
