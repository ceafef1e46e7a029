/**
 * Finds the directives that tell how a field has changed: those on the field, or else those on the same field in an interface
 * of its type. The nearest interface counts, and two that are equally near must agree.
 */
import { type ConstDirectiveNode, type GraphQLField, type GraphQLInterfaceType, print } from 'graphql';
import type { Composite } from './read-directives.ts';
import { findDirectives } from './read-directives.ts';

/** The directives of one name that apply to a field, and two interfaces that disagree about them, if there are any. */
export interface InheritedDirectives {
  readonly directives: readonly ConstDirectiveNode[];
  readonly disagreeing?: readonly [string, string];
}

/** Finds the directives of one name that apply to a field of a type. */
export function findInherited(
  owner: Composite,
  field: GraphQLField<unknown, unknown>,
  name: string,
): InheritedDirectives {
  const own = findDirectives(field.astNode, name);
  if (own.length > 0) return { directives: own };
  const [first, ...others] = nearest(
    owner.getInterfaces().flatMap((parent) => {
      const directives = findDirectives(parent.getFields()[field.name]?.astNode, name);
      return directives.length > 0 ? [{ parent, directives }] : [];
    }),
  );
  if (!first) return { directives: [] };
  const other = others.find(({ directives }) => textOf(directives) !== textOf(first.directives));
  return {
    directives: first.directives,
    ...(other ? { disagreeing: [first.parent.name, other.parent.name] } : {}),
  };
}

/** Leaves out the interfaces that another one of them implements, since that one has decided already. */
function nearest<One extends { readonly parent: GraphQLInterfaceType }>(all: readonly One[]): One[] {
  return all.filter(({ parent }) => !all.some((other) => other.parent.getInterfaces().includes(parent)));
}

const textOf = (directives: readonly ConstDirectiveNode[]) =>
  directives.map((directive) => print(directive)).join(' ');
