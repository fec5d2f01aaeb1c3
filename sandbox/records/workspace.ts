export interface Workspace {
  id: number;
  name: string;
}
