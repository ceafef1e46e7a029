/**
 * The schema of the saved GraphQL endpoint as SDL.
 */
import { useQuery } from '@tanstack/react-query';
import { admin, answer } from '../../api.ts';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';

/** The text, to be read and copied. */
export function Schema({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['graphql-endpoints', id, 'schema'],
    queryFn: () => answer(admin.getGraphqlSchema({ path: { id } })),
  });
  return (
    <Loaded query={query} what="schema">
      {({ sdl }) => <CopyField label="SDL" text={sdl} maxHeight={400} />}
    </Loaded>
  );
}
