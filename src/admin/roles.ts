/**
 * The role of the signed-in user, and what it lets the pages show. The server decides what a role may do; the pages only leave out
 * what it would refuse.
 */
import { createContext, use } from 'react';
import type { Role } from './api.ts';
import { useSession } from './session.ts';

/** All roles, from the least to the most powerful, each with what it may do. */
export const roleMeanings: Readonly<Record<Role, string>> = {
  author: 'Reads content and its history, and writes drafts of releases.',
  editor: 'Also changes live content.',
  developer: 'Also manages endpoints, webhooks, content types, and API clients without the scope admin.',
  admin: 'Does everything, and manages users.',
};

/** All roles, from the least to the most powerful. */
// Object.keys returns string[]; the table has no other members.
export const roles = Object.keys(roleMeanings) as Role[];

/** Whether a role may do what another one may. */
export const includesRole = (role: Role, needed: Role): boolean =>
  roles.indexOf(role) >= roles.indexOf(needed);

/** Whether the signed-in user may do what a role may. */
export function useMay(needed: Role): boolean {
  const user = useSession()?.user;
  return user !== undefined && includesRole(user.role, needed);
}

/** Tells the role that the page at a path needs. The routes of the pages, which name it, provide it. */
export const PageRoles = createContext<(path: string) => Role>(() => 'author');

/** Whether the signed-in user may open the page at a path. */
export const useMayOpen = (path: string): boolean => useMay(use(PageRoles)(path));
