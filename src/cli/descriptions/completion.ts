/**
 * The description of `colophon completion`.
 */
import type { Command } from '../command.ts';

const completion: Command = {
  name: 'completion',
  summary: 'print a script that completes the words of colophon in a shell',
  arguments: [{ name: '<shell>', summary: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] }],
  options: {},
  examples: ['colophon completion bash > ~/.local/share/bash-completion/completions/colophon'],
  run: async (call) => (await import('../commands/completion.ts')).completion(call),
};

/** The commands about the command line itself. */
export const completionCommands = [completion];
