/**
 * The dialog that creates an asset for a reference. The page provides it to the inputs, since it contains such inputs itself.
 */
import { type ComponentType, createContext } from 'react';

/** What the dialog is given; `onCreated` receives the reference once the asset is stored. */
export interface CreateReferencedProps {
  readonly className: string;
  readonly onCreated: (reference: { _ref: string; _type: string }) => void;
  readonly onClose: () => void;
}

/** The dialog; without one, references lead to existing assets only. */
export const CreateContext = createContext<ComponentType<CreateReferencedProps> | undefined>(undefined);
