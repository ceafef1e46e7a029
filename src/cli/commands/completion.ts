/**
 * `colophon completion bash`: prints the script by which bash completes commands, made from their descriptions: their words, their options
 * and the values that an option may have. Bash then completes without starting Colophon; it finds class names in the files of the types
 * folder.
 */
import { usage } from '../../base/errors.ts';
import { loadTypes } from '../../types/load-types.ts';
import { readSuppliedSources, shippedTypesFolder } from '../../types/type-sources.ts';
import type { Command, CommandCall, OptionDescription } from '../command.ts';

/** Where class names come from. */
interface ClassNames {
  /** The types folder where neither `--types` nor COLOPHON_TYPES names one. */
  readonly folder: string;
  /** Those that every types folder is completed by. */
  readonly supplied: readonly string[];
}

/** Runs `colophon completion`. Errors: usage. */
export async function completion({ positionals: [shell = ''], commands }: CommandCall): Promise<void> {
  if (shell !== 'bash') throw usage(`completion takes bash, not ${shell}`);
  const supplied = [...loadTypes(readSuppliedSources()).types.keys()];
  process.stdout.write(printBash(commands, { folder: shippedTypesFolder, supplied }));
}

/** The commands that print the class names in the folder `$folder`. */
const listClasses = ({ supplied }: ClassNames) =>
  String.raw`{ grep -rhoE --include='*.graphql' '@contentType[(][^)]*' -- "$folder" 2> /dev/null | sed -nE 's/.*class: *"([^"]*)".*/\1/p'` +
  `; printf '%s\\n' ${supplied.join(' ')}; } | sort -u`;

/** Quotes a text for bash. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The words that may follow the given ones in the names of commands. */
function nextWords(commands: readonly Command[], first?: string): string[] {
  const words = commands.map(({ name }) => name.split(' '));
  const following =
    first === undefined
      ? words.map(([word = '']) => word)
      : words.filter(([word]) => word === first).flatMap(([, word]) => word ?? []);
  return [...new Set(following)];
}

const groupsOf = (commands: readonly Command[]) =>
  nextWords(commands).filter((word) => nextWords(commands, word).length > 0);

/** A branch of `case`: what completes in a situation. */
const branch = (pattern: string, words: readonly string[]) =>
  `    ${quote(pattern)}) candidates=${quote(words.join(' '))} ;;`;

/** The branch for the value of an option or an argument, if it can be completed. */
function valueBranch(
  pattern: string,
  { choices, isClass }: Pick<OptionDescription, 'choices' | 'isClass'>,
): string[] {
  if (isClass) return [`    ${quote(pattern)}) candidates="$(_colophon_classes "\${words[@]}")" ;;`];
  return choices ? [branch(pattern, choices)] : [];
}

function printBash(commands: readonly Command[], classes: ClassNames): string {
  const own = ['help', 'version'];
  const groups = groupsOf(commands).map((word) => branch(word, nextWords(commands, word)));
  const options = commands.map(({ name, options }) =>
    branch(name, [...Object.keys(options).map((option) => `--${option}`), '--help']),
  );
  const values = commands.flatMap(({ name, options, arguments: given = [] }) => [
    ...Object.entries(options).flatMap(([option, described]) =>
      valueBranch(`${name} --${option}`, described),
    ),
    ...given.slice(0, 1).flatMap((described) => valueBranch(`${name} `, described)),
  ]);
  const withValue = commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { type, choices, isClass }]) =>
      type === 'string' && !choices && !isClass ? [quote(`${name} --${option}`)] : [],
    ),
  );
  return `# Completion of colophon.
_colophon_classes() {
  local folder="\${COLOPHON_TYPES:-}" previous='' word
  [[ -z "$folder" ]] && folder=${quote(classes.folder)}
  for word in "$@"; do
    if [[ "$previous" == --types ]]; then folder="$word"; fi
    if [[ "$word" == --types=* ]]; then folder="\${word#--types=}"; fi
    previous="$word"
  done
  ${listClasses(classes)}
}
_colophon() {
  local line="\${COMP_LINE:0:COMP_POINT}" words candidates='' command='' current=''
  read -ra words <<< "$line"
  if [[ "$line" != *[[:space:]] ]]; then
    current="\${words[\${#words[@]}-1]}"
    unset "words[\${#words[@]}-1]"
  fi
  local count=\${#words[@]} previous=''
  (( count > 0 )) && previous="\${words[count-1]}"
  COMPREPLY=()
  case "\${words[1]} \${words[2]}" in
${commands
  .filter(({ name }) => name.includes(' '))
  .map(({ name }) => `    ${quote(name)}) command=${quote(name)} ;;`)
  .join('\n')}
  esac
  [[ -z "$command" ]] && command="\${words[1]}"
  local level
  level=$(wc -w <<< "$command")
  if (( count == 1 )); then candidates=${quote([...nextWords(commands), ...own].join(' '))}
  elif [[ "\${words[1]}" == help && $count == 2 ]]; then candidates=${quote(nextWords(commands).join(' '))}
  else
    if (( count == 2 )); then case "\${words[1]}" in
${groups.join('\n')}
    esac; fi
    if [[ -z "$candidates" && "$current" == -* ]]; then case "$command" in
${options.join('\n')}
    esac; fi
    if [[ "$previous" == --* ]]; then
      case "$command $previous" in
        ${withValue.join('|') || "''"}) mapfile -t COMPREPLY < <(compgen -f -- "$current"); compopt -o filenames 2> /dev/null; return ;;
      esac
      case "$command $previous" in
${values.join('\n')}
      esac
    elif [[ -z "$candidates" && "$current" != -* ]] && (( count == level + 1 )); then case "$command " in
${values.join('\n')}
    esac; fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$current")
  # Bash takes a colon for the beginning of a word.
  if [[ "$current" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*:}"}"}"); fi
  if [[ \${#COMPREPLY[@]} == 0 && -n "$command" && "$current" != -* ]]; then mapfile -t COMPREPLY < <(compgen -f -- "$current"); compopt -o filenames 2> /dev/null; fi
}
complete -F _colophon colophon
`;
}
