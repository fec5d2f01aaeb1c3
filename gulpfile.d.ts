/** What n8n reads beside the compiled code, as patterns from the root folder. */
export declare const assetFiles: string[];

/** Copies these files into a folder. */
export declare function copyAssets(folder: string): NodeJS.ReadWriteStream;
