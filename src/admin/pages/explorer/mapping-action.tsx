/**
 * The action "REST mapping" in GraphiQL's toolbar: takes the query as it stands to the form of a REST endpoint.
 */
import { ToolbarButton, useGraphiQL } from '@graphiql/react';
import { useState } from 'react';
import { MappingDialog } from './mapping-dialog.tsx';

/** The button, and the dialog that it opens. */
export function MappingAction({ endpointId }: { endpointId: string }) {
  const editor = useGraphiQL(({ queryEditor }) => queryEditor);
  const [query, setQuery] = useState<string>();
  return (
    <>
      <ToolbarButton
        className="explorer-mapping"
        label="REST mapping"
        onClick={() => setQuery(editor?.getValue() ?? '')}
      >
        REST mapping
      </ToolbarButton>
      <MappingDialog source={endpointId} query={query} onClose={() => setQuery(undefined)} />
    </>
  );
}
