module.exports = async (config) => {
  const { IdAttributePlugin } = await import("@11ty/eleventy");
  config.addPlugin(IdAttributePlugin);
};
