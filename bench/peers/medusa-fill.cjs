// A shop for Medusa, by its own workflows, as its starter makes one. The last line says what a storefront needs to know.
const { ContainerRegistrationKeys, Modules } = require('@medusajs/framework/utils')
const flows = require('@medusajs/medusa/core-flows')

const address = { city: 'Berlin', country_code: 'DE', address_1: 'Street 1' }

async function run(container, workflow, input) {
  return (await flows[workflow](container).run({ input })).result
}

async function channelWithKey(container) {
  const [channel] = await run(container, 'createSalesChannelsWorkflow', {
    salesChannelsData: [{ name: 'Storefront' }],
  })
  const [key] = await run(container, 'createApiKeysWorkflow', {
    api_keys: [{ title: 'Storefront', type: 'publishable', created_by: '' }],
  })
  await run(container, 'linkSalesChannelsToApiKeyWorkflow', { id: key.id, add: [channel.id] })
  return { channel, key }
}

async function regionWithTax(container) {
  const [region] = await run(container, 'createRegionsWorkflow', {
    regions: [
      { name: 'Europe', currency_code: 'eur', countries: ['de'], payment_providers: ['pp_system_default'] },
    ],
  })
  await run(container, 'createTaxRegionsWorkflow', [
    {
      country_code: 'de',
      provider_id: 'tp_system',
      default_tax_rate: { name: 'Standard', code: 'standard', rate: 20 },
    },
  ])
  return region
}

/** One place that has all in stock, and one way to send it. */
async function shippingFrom(container, channel) {
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const fulfillment = container.resolve(Modules.FULFILLMENT)
  const [place] = await run(container, 'createStockLocationsWorkflow', {
    locations: [{ name: 'Warehouse', address }],
  })
  const placed = { [Modules.STOCK_LOCATION]: { stock_location_id: place.id } }
  await link.create({ ...placed, [Modules.FULFILLMENT]: { fulfillment_provider_id: 'manual_manual' } })
  const profiles = await run(container, 'createShippingProfilesWorkflow', {
    data: [{ name: 'Default', type: 'default' }],
  })
  const set = await fulfillment.createFulfillmentSets({
    name: 'Warehouse',
    type: 'shipping',
    service_zones: [{ name: 'Europe', geo_zones: [{ country_code: 'de', type: 'country' }] }],
  })
  await link.create({ ...placed, [Modules.FULFILLMENT]: { fulfillment_set_id: set.id } })
  const [option] = await run(container, 'createShippingOptionsWorkflow', [
    {
      name: 'Standard Shipping',
      price_type: 'flat',
      provider_id: 'manual_manual',
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profiles[0].id,
      type: { label: 'Standard', description: 'Some days', code: 'standard' },
      prices: [{ currency_code: 'eur', amount: 5 }],
      rules: [
        { attribute: 'enabled_in_store', value: 'true', operator: 'eq' },
        { attribute: 'is_return', value: 'false', operator: 'eq' },
      ],
    },
  ])
  await run(container, 'linkSalesChannelsToStockLocationWorkflow', { id: place.id, add: [channel.id] })
  return { place, profile: profiles[0], option }
}

/** Thirteen products of one variant each, with more of each in stock than is ever ordered. */
async function products(container, channel, { place, profile }) {
  const made = await run(container, 'createProductsWorkflow', {
    products: Array.from({ length: 13 }, (_, n) => ({
      title: `Product ${n + 1}`,
      description: 'What it is',
      handle: `product-${n + 1}`,
      status: 'published',
      shipping_profile_id: profile.id,
      options: [{ title: 'Size', values: ['One'] }],
      variants: [
        {
          title: 'One',
          sku: `sku-${n + 1}`,
          options: { Size: 'One' },
          prices: [{ amount: 10, currency_code: 'eur' }],
        },
      ],
      sales_channels: [{ id: channel.id }],
    })),
  })
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data: items } = await query.graph({ entity: 'inventory_item', fields: ['id'] })
  await run(container, 'createInventoryLevelsWorkflow', {
    inventory_levels: items.map(({ id }) => ({
      location_id: place.id,
      inventory_item_id: id,
      stocked_quantity: 100_000_000,
    })),
  })
  return made
}

exports.default = async function fill({ container }) {
  const { channel, key } = await channelWithKey(container)
  const region = await regionWithTax(container)
  const shipping = await shippingFrom(container, channel)
  const made = await products(container, channel, shipping)
  const shop = {
    key: key.token,
    region: region.id,
    shipping: shipping.option.id,
    variants: made.map(({ variants }) => variants[0].id),
  }
  process.stdout.write(`\nSHOP ${JSON.stringify(shop)}\n`)
}
