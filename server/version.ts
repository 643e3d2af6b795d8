/** Version of this build. A test compares it with package.json, which compiled code has in another folder than sources have. */
export const VERSION = '0.1.0';
