/**
 * The icons of the admin UI, all from one set. The build keeps those that are named here.
 *
 * An icon stands beside a word, or its button has a tooltip and an `aria-label`; it is 16 pixels wide unless the button is larger.
 */
export {
  Activity as RunsIcon,
  ArrowDown as DownIcon,
  ArrowUp as UpIcon,
  BookOpen as GuideIcon,
  ChevronDown as OpenIcon,
  ChevronRight as ClosedIcon,
  Columns3 as ColumnsIcon,
  Copy as DuplicateIcon,
  FileImage as FilesIcon,
  GripVertical as DragIcon,
  Info as InfoIcon,
  LayoutList as ContentIcon,
  ListFilter as FilterIcon,
  Moon as DarkIcon,
  Network as ApisIcon,
  PackageCheck as ReleasesIcon,
  ScrollText as AuditIcon,
  Search as SearchIcon,
  Shapes as TypesIcon,
  SquareLibrary as ReferenceIcon,
  SquareTerminal as GraphqlIcon,
  Sun as LightIcon,
  TextSearch as PredicatesIcon,
  Trash2 as DeletedIcon,
  UserRound as AccountIcon,
  UsersRound as UsersIcon,
  Webhook as WebhooksIcon,
  X as RemoveIcon,
} from 'lucide-react';
