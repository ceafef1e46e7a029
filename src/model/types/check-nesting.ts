/**
 * Limits how deep SDL nests: brackets in its text, and embedded types in each other. All that reads or compares types recurses with them.
 */
import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Lexer,
  type Source,
  syntaxError,
  TokenKind,
} from 'graphql';
import { maxJsonDepth } from '../values/parse-json.ts';

/** The maximum nesting of brackets of any kind. */
const maxBrackets = 100;

const openings: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const closings: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/** Refuses SDL whose brackets nest too deep for the parser. Errors: a GraphQLError, also for other errors of the text. */
export function assertBracketNesting(source: Source): void {
  const lexer = new Lexer(source);
  for (let depth = 0; lexer.advance().kind !== TokenKind.EOF; ) {
    const { kind, start } = lexer.token;
    if (openings.includes(kind)) depth++;
    else if (closings.includes(kind)) depth--;
    if (depth > maxBrackets)
      throw syntaxError(source, start, `Brackets nest more than ${maxBrackets} levels`);
  }
}

/** Finds the content types in which embedded types nest deeper than a body may; a type that contains itself counts once. */
export function findTooDeep(
  named: readonly GraphQLNamedType[],
  classes: ReadonlyMap<string, unknown>,
): GraphQLNamedType[] {
  const depths = new Map<string, number>();

  /** Returns the number of levels of a type, as far as `maxJsonDepth`. */
  function depthOf(type: GraphQLNamedType, around: readonly string[]): number {
    const kinds = findKinds(type);
    if (kinds.length > 0) return Math.max(...kinds.map((kind) => depthOf(kind, around)));
    if (!isObjectType(type) && !isInterfaceType(type)) return 0;
    if (around.includes(type.name) || around.length > maxJsonDepth) return 0;
    const known = depths.get(type.name);
    if (known !== undefined) return known;
    const inside = Object.values(type.getFields())
      .map((field) => getNamedType(field.type))
      .filter(({ name }) => !classes.has(name));
    const path = [...around, type.name];
    const depth = 1 + Math.max(0, ...inside.map((member) => depthOf(member, path)));
    depths.set(type.name, depth);
    return depth;
  }

  return named.filter((type) => classes.has(type.name) && depthOf(type, []) > maxJsonDepth);

  /** Finds the embedded types that a union or an interface stands for. */
  function findKinds(type: GraphQLNamedType): readonly GraphQLObjectType[] {
    if (classes.has(type.name)) return [];
    const kinds = isUnionType(type)
      ? type.getTypes()
      : named.filter(
          (other) => isObjectType(other) && other.getInterfaces().some(({ name }) => name === type.name),
        );
    return kinds.filter((kind) => isObjectType(kind)).filter(({ name }) => !classes.has(name));
  }
}
